// Frameworks that adapters import at run time. Their types are not installed where this package is compiled.
declare module "@strands-agents/sdk";
declare module "@langchain/core/messages";
