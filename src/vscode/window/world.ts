/** Services of the host's own commands, beyond the common context. */
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Documents } from '../words/documents.ts';
import type { WorkspaceEngine } from './handle.ts';
import type { ApiKey } from './owner/key.ts';
import type { Pages } from './pages.ts';

export interface World {
  readonly clock: Clock;
  readonly load: () => Promise<Workspaces>;
  readonly handle: WorkspaceEngine;
  readonly key: ApiKey;
  readonly documents: Documents;
  readonly views: Pages;
}
