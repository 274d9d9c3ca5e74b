"""The scripted model, where the clients of all providers find it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from scripted import Model  # noqa: E402

MODEL = Model()
os.environ |= {
    "ANTHROPIC_API_KEY": "scripted",
    "ANTHROPIC_BASE_URL": MODEL.url,
    "GEMINI_API_KEY": "scripted",
    "GOOGLE_GEMINI_BASE_URL": MODEL.url,
    "OPENAI_API_KEY": "scripted",
    "OPENAI_BASE_URL": f"{MODEL.url}/v1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CONFIG_DIR": tempfile.mkdtemp(),
    "ENABLE_TOOL_SEARCH": "false",
    "LANGSMITH_TRACING": "false",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "OTEL_SDK_DISABLED": "true",
}
