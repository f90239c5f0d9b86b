/** Opens the paid answers of this workspace's sessions. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAnswers } from '../../adapters/files/keptAnswers.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import type { KeptAnswers } from '../../engine/session/gatewayPorts.ts';
import type { Store } from '../../engine/state/store.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';

/** Paid answers of this workspace's sessions, for the owner's gateway. */
export async function ownAnswers(
  places: WorkspacePaths,
  store: Store,
  problem: (text: string) => void,
): Promise<KeptAnswers> {
  return keptAnswers({
    stateDir: places.stateDir,
    ops: nodeFiles,
    seal: lineSeal(await loadKey(places.configDir, nodeFiles), 'answers'),
    running: (sessionId) => store.state.sessions.get(sessionId)?.status === 'running',
    problem,
  });
}
