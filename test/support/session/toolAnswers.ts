import type { ModelRole } from '../../../src/engine/job/context.ts';
import type { EngineWorld } from '../world/engineWorld.ts';

/** What the tools of a role answered, in order, as its last request holds it: JSON text of each result. */
export function toolAnswers(world: EngineWorld, role: ModelRole): string[] {
  const { messages = [] } = JSON.parse(world.sent(role).at(-1)?.body ?? '{}') as {
    messages?: { role: string; content: string | { type: string; content?: unknown }[] }[];
  };
  return messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => JSON.stringify(content));
}
