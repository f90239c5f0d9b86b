/** The main agent's tools for every language model of the editor. What changes something is confirmed first; nothing decides for the steward. */
import * as vscode from 'vscode';
import { fenced } from '../../core/text/fenced.ts';
import { asFailure } from '../../shared/errors.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';
import { TOOL_PREFIX } from './toolNames.ts';

/** The editor may call the tools as soon as package.json declares them, so that each is registered by its declaration. */
export function registerTools(context: HostContext, world: Pick<World, 'load' | 'handle'>): vscode.Disposable {
  if (typeof vscode.lm?.registerTool !== 'function') return vscode.Disposable.from();
  const tools = declared(context).map((name) => vscode.lm.registerTool(name, toolNamed(name, context, world)));
  return vscode.Disposable.from(...tools);
}

function declared({ extension }: HostContext): string[] {
  const tools = given(given(extension.extension.packageJSON, 'contributes'), 'languageModelTools');
  return Array.isArray(tools) ? tools.map((tool) => String(given(tool, 'name'))) : [];
}

function toolNamed(
  id: string,
  { engine }: HostContext,
  { load, handle }: Pick<World, 'load' | 'handle'>,
): vscode.LanguageModelTool<object> {
  const name = id.slice(TOOL_PREFIX.length);
  return {
    prepareInvocation: async ({ input }) => {
      const { changes, title } = await specOf(name, input);
      if (!changes) return { invocationMessage: title };
      const message = new vscode.MarkdownString(fenced(JSON.stringify(input, null, 2), 'json'));
      return { invocationMessage: title, confirmationMessages: { title: `Autonomous: ${title}`, message } };
    },
    invoke: async ({ input }) => {
      try {
        // Looking needs no owner.
        if ((await specOf(name, input)).changes) await engine.open();
        else if (engine.current === null) await engine.look();
        const tools = { state: engine.state, request: handle.request.bind(handle) };
        const text = await (await load()).callTool(tools, name, input);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } catch (thrown) {
        const { message, hint } = asFailure(thrown);
        // For the model, which may do better then.
        throw new Error(hint === '' ? message : `${message}. ${hint}`, { cause: thrown });
      }
    },
  };
}

async function specOf(name: string, input: object): Promise<{ readonly title: string; readonly changes: boolean }> {
  const { MAIN_TOOLS, toolChanges } = await import('../../shared/workspace/mainTools.ts');
  const known: Readonly<Record<string, { readonly title: string }>> = MAIN_TOOLS;
  // An unknown tool is rejected when it is called. Until then it is confirmed like a tool that changes state.
  const title = Object.hasOwn(known, name) ? known[name]?.title : undefined;
  return { title: title ?? name, changes: toolChanges(name, input) };
}
