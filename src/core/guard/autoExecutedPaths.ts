/**
 * Where agents look in a clone for what they then run or obey without asking their model: hooks, plugins, servers, variables.
 * Whoever wrote the clone could answer there in the name of who is to judge it. What only is read (AGENTS.md, CLAUDE.md) is not of these.
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
  // Programs made with Bun start with what these say.
  '.env',
  '.env.development',
  '.env.local',
  '.env.production',
  'bunfig.toml',
];
