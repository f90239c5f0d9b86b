/** Picks from a scenario the answer to a model step of a task, or to a summary of one. */
import { firstUserText } from './conversation.ts';
import { fill } from './placeholders.ts';
import type { MessagesRequest } from './request.ts';
import type { Scenario, Turn } from './scenario.ts';

const EXCERPT = 200;
/** The marks around each result in a request for a summary, as `src/engine/task` writes them. */
const RESULT = /<result step="\d+" name="[^"\n]{1,200}">\n/g;

/** There is always a turn: a task without a script gets an answer too. */
export function taskTurn({ tasks }: Scenario, request: MessagesRequest): Turn {
  const prompt = firstUserText(request);
  const asked = prompt.toLowerCase();
  const replies = tasks?.replies ?? [];
  const found =
    replies.find(({ when }) => when !== undefined && asked.includes(when.toLowerCase())) ??
    replies.find(({ when }) => when === undefined);
  const text = found === undefined ? generic(prompt) : fill(found.text, { prompt });
  return { text, calls: [] };
}

/** A generic text with enough of the prompt to distinguish one step from another. */
function generic(prompt: string): string {
  const results = prompt.match(RESULT)?.length ?? 0;
  const [line = ''] = prompt.split('\n', 1);
  if (results > 0) return `Summary of ${results} results of "${excerpt(line)}" (simulated: no model has read them).`;
  return `Simulated reply to: ${excerpt(prompt)}`;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT)}…`;
}
