/** What the commands about projects do, by command. */
import type { CommandId } from '../words/commandList.ts';

export type Handlers = { readonly [Id in CommandId]?: (target: unknown) => Promise<void> };
