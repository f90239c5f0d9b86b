/** Makes ids of tool calls unique in a conversation: the effect of a call is found by its id after a restart. */
import type { RequestBody } from '../request.ts';

/**
 * The API assigns each id once, but not every compatible server does. A second call with an id gets a new one; the reply is
 * changed in place.
 */
export function distinctCalls(reply: { readonly content: readonly unknown[] }, before: RequestBody['messages']): void {
  const taken = new Set(before.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).flatMap(idOf));
  for (const block of reply.content) {
    const [id] = idOf(block);
    if (id === undefined) continue;
    let own = id;
    for (let n = 2; taken.has(own); n++) own = `${id}_${n}`;
    taken.add(own);
    Object.assign(block as object, { id: own });
  }
}

function idOf(block: unknown): string[] {
  const { type, id } = block as { readonly type?: unknown; readonly id?: unknown };
  return type === 'tool_use' && typeof id === 'string' ? [id] : [];
}
