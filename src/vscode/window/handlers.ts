/** Maps the commands about projects to their handlers. */
import type { CommandId } from '../words/commandList.ts';

export type Handlers = { readonly [Id in CommandId]?: (target: unknown) => Promise<void> };
