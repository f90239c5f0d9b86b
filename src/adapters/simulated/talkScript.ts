/** Picks from a scenario the reply of a project, the main agent or a subagent to its messages. */

import { MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { ProjectTurn } from '../../shared/workspace/assignment.ts';
import { genericMain, genericProject, genericSubagent } from './genericTalk.ts';
import { fill } from './placeholders.ts';
import type { Scenario, ScriptedReply, Turn } from './scenario.ts';
import type { SimulatedConversation, Told } from './talk.ts';

const SUMMED_UP = 20;
const EXCERPT = 200;

/** Ends an answer whose script ends with calls, whatever the agent asks next. */
const CLOSING: Turn = { text: 'Done (simulated).', calls: [] };

/** There is always a turn: a project without a script answers too. */
export function talkTurn(scenario: Scenario, talk: SimulatedConversation): Turn {
  if (talk.asked.kind === 'summary') return { text: summary(talk), calls: [] };
  const turns = talk.told.flatMap((message, index) => {
    const before = [...talk.before, ...talk.told.slice(0, index)];
    return replyTo(scenario, talk.asked, message, before).map((turn) => fill(turn, factsOf(talk, message)));
  });
  return joined(turns)[talk.turn] ?? CLOSING;
}

/** The nth message that matches the same replies gets the nth of these, later ones the last. */
function replyTo(scenario: Scenario, asked: ProjectTurn, message: Told, before: readonly Told[]): readonly Turn[] {
  const replies = repliesOf(scenario, asked, message);
  const earlier = before.filter((one) => repliesOf(scenario, asked, one)[0] === replies[0]);
  return (replies[earlier.length] ?? replies.at(-1))?.turns ?? [];
}

/** The scenario's replies for this project if one matches, otherwise the general ones. */
function repliesOf(scenario: Scenario, asked: ProjectTurn, { text }: Told): readonly ScriptedReply[] {
  const { projects, main, subagents, otherwise } = scenario;
  const { project } = asked;
  const own = Object.hasOwn(projects, project) ? projects[project] : undefined;
  const talks =
    asked.kind === 'subagent'
      ? [subagents, genericSubagent]
      : project === MAIN_PROJECT
        ? [main, genericMain]
        : [own, otherwise.project, genericProject];
  return talks.map((talk) => matching(talk?.replies ?? [], text)).find((found) => found.length > 0) ?? [];
}

/** Replies with the first `when` that occurs in the message; if none occurs, those without `when`. */
function matching(replies: readonly ScriptedReply[], told: string): readonly ScriptedReply[] {
  const text = told.toLowerCase();
  const found = replies.find(({ when }) => when !== undefined && text.includes(when.toLowerCase()));
  return replies.filter(({ when }) => when?.toLowerCase() === found?.when?.toLowerCase());
}

/**
 * Several messages are answered one after the other. A turn with text alone would end the round, so it is merged into
 * the next turn.
 */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const joint: Turn[] = [];
  let words = '';
  for (const [index, { text, calls }] of turns.entries()) {
    const said = [words, text].filter((part) => part !== '').join('\n\n');
    if (calls.length === 0 && index < turns.length - 1) {
      words = said;
      continue;
    }
    joint.push({ text: said, calls });
    words = '';
  }
  return joint;
}

function factsOf(
  { asked, result }: SimulatedConversation,
  { id, text }: Told,
): Readonly<Record<string, string | number>> {
  return { project: asked.project, message: text, messageId: id, result };
}

function summary({ asked, told }: SimulatedConversation): string {
  const said = told.slice(-SUMMED_UP).map(({ text }) => `- ${text.slice(0, EXCERPT)}`);
  return [`Messages of ${asked.project} so far (summed up by a simulated model):`, ...said].join('\n');
}
