/** The main agent's tools, each carried out in the owner. */
import { MAIN_TOOL_NAMES, MAIN_TOOLS, type MainToolName } from '../../../../shared/workspace/mainTools.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool, type Tool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

function mainTool(name: MainToolName): Tool {
  const { description, input } = MAIN_TOOLS[name];
  return defineTool({
    name,
    description,
    input,
    run: async (given, context) => acceptedText(await projectOf(context).mainTool(name, given)),
  });
}

export const mainTools: readonly Tool[] = MAIN_TOOL_NAMES.map(mainTool);
