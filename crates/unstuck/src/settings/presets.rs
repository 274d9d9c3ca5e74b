//! Presets: one file each, with the settings and the fixed texts of its system.

pub(super) mod attocode;
pub(super) mod attractor;
pub(super) mod ironcurtain;
pub(super) mod standard;
pub(super) mod tool_loop_detector;

use super::{
    Attendance, IdentitySettings, MemorySettings, Mode, Nudges, OnUser, PolicySettings, Preset,
    Relapse, Rules, Rung, Settings, TextSet, Texts,
};

/// Settings that the founding systems have in common: no rule is on, calls and results are compared byte by byte, every event
/// above a threshold is reported, and nothing is remembered of a pattern that ended.
fn founding(preset: Preset) -> Settings {
    Settings {
        preset,
        mode: Mode::Enforce,
        attendance: Attendance::Unattended,
        secret: String::new(),
        precedence: Vec::new(),
        text_set: TextSet::Standard,
        rules: Rules::standard().off(),
        identity: IdentitySettings::EXACT,
        policy: PolicySettings {
            nudges: Nudges::EveryTime,
            relapse: Relapse::Forget,
            denials_before_halt: Rung::Never,
            nudges_before_denial: Rung::Never,
            on_user: OnUser::Keep,
        },
        memory: MemorySettings::default(),
        tools: Vec::new(),
        texts: Texts::default(),
    }
}
