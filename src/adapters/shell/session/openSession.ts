/** A session of commands: its folder, and the network that its commands share. */
import type { CommandSession } from '../../../engine/session/commandPorts.ts';
import type { ConfinedContext } from '../sandbox/confined.ts';
import { holdNetwork } from '../sandbox/heldNetwork.ts';
import type { SandboxTools } from '../sandbox/sandboxTools.ts';

export function openSession({ folders, shell, networks }: ConfinedContext): CommandSession {
  const own = folders.forSession();
  const session: CommandSession = {
    ...own,
    shell: shell.name,
    sharesNetwork: () => networks.get(session)?.isOpen() === true,
    close: async () => {
      networks.get(session)?.close();
      networks.delete(session);
      await own.close();
    },
  };
  return session;
}

/** Opens the network that all later commands of the session share. */
export async function shareNetwork(
  session: CommandSession,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<void> {
  if (session.sharesNetwork()) return;
  const held = await holdNetwork(tools, context.environment);
  if (held !== null) context.networks.set(session, held);
}
