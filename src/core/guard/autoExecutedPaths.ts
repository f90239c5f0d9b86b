/**
 * Paths in a clone whose content agents run or obey without asking their model: hooks, plugins, servers, variables. The author of the clone could use
 * them to answer in the name of its reviewer. Files that are only read (AGENTS.md, CLAUDE.md) are not in the list.
 */
export const AUTO_EXECUTED_PATHS: readonly string[] = [
  '.claude',
  '.cline',
  '.clinerules',
  '.codex',
  '.copilot',
  '.cursor',
  '.gemini',
  '.github/copilot',
  '.github/hooks',
  '.goose',
  '.mcp.json',
  '.opencode',
  '.qwen',
  '.vscode/mcp.json',
  'opencode.json',
  'opencode.jsonc',
  // Programs built with Bun read these at the start.
  '.env',
  '.env.development',
  '.env.local',
  '.env.production',
  'bunfig.toml',
];
