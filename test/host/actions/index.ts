/** A second extension: it registers an action for the steps of tasks, late, when it is told to. */
import { commands, type ExtensionContext, extensions } from 'vscode';
import type { AutonomousApi } from '../../../src/host/task/autonomous.d.ts';

async function register(context: ExtensionContext): Promise<void> {
  const api = await extensions.getExtension<AutonomousApi>('autonomous.autonomous')?.activate();
  if (api?.version !== 1) throw new Error('the extension gives its API');
  for (const wrong of ['shout', 'nobody.there/shout']) {
    let refused = false;
    try {
      api.registerStepAction(wrong, { description: 'Never.', run: async () => null });
    } catch {
      refused = true; // as it must be
    }
    if (!refused) throw new Error(`the name ${wrong} was taken`);
  }
  context.subscriptions.push(
    api.registerStepAction('acme.actions/shout', {
      description: 'Says it loudly.',
      params: { type: 'object', properties: { text: { type: 'string' } } },
      run: async ({ text }) => ({ said: String(text).toUpperCase() }),
    }),
  );
}

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(commands.registerCommand('acme.actions.register', () => register(context)));
}
