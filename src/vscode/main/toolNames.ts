/** Before a tool's name, in the list of all tools of the editor. */
export const TOOL_PREFIX = 'autonomous_';
