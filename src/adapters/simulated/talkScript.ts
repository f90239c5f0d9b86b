/** Picks from a scenario what a project, the main agent or a subagent says to what it was told. */
import type { ProjectTurn } from '../../shared/assignment.ts';
import { MAIN_PROJECT } from '../../shared/projects.ts';
import type { Talk } from './conversation.ts';
import { fill } from './placeholders.ts';
import type { Scenario, ScriptedReply, Turn } from './scenario.ts';
import { genericMain, genericProject, genericSubagent } from './scenarios/genericTalk.ts';

const SUMMED_UP = 20;
const EXCERPT = 200;

/** Ends a reply whose script ends with calls, whatever the agent still asks. */
const CLOSING: Turn = { text: 'Done (simulated).', calls: [] };

/**
 * There always is one: a project without a script is alive too. The nth message that the same replies are for gets the nth
 * of them, later ones the last.
 */
export function talkTurn(scenario: Scenario, talk: Talk): Turn {
  if (talk.asked.kind === 'summary') return { text: summary(talk), calls: [] };
  const replies = repliesOf(scenario, talk.asked, talk.told);
  const earlier = talk.before.filter((told) => repliesOf(scenario, talk.asked, told)[0] === replies[0]);
  const reply = replies[earlier.length] ?? replies.at(-1);
  return fill(reply?.turns[talk.turn] ?? CLOSING, factsOf(talk));
}

/** The scenario's own where it says anything to this, else what any project says. */
function repliesOf(scenario: Scenario, asked: ProjectTurn, told: string): readonly ScriptedReply[] {
  const { projects, main, subagents, otherwise } = scenario;
  const { project } = asked;
  const own = Object.hasOwn(projects, project) ? projects[project] : undefined;
  const talks =
    asked.kind === 'subagent'
      ? [subagents, genericSubagent]
      : project === MAIN_PROJECT
        ? [main, genericMain]
        : [own, otherwise.project, genericProject];
  return talks.map((talk) => matching(talk?.replies ?? [], told)).find((found) => found.length > 0) ?? [];
}

/** Those of the first `when` that the message has; where it has none, those without. */
function matching(replies: readonly ScriptedReply[], told: string): readonly ScriptedReply[] {
  const text = told.toLowerCase();
  const found = replies.find(({ when }) => when !== undefined && text.includes(when.toLowerCase()));
  return replies.filter(({ when }) => when?.toLowerCase() === found?.when?.toLowerCase());
}

function factsOf({ asked, told, result }: Talk): Readonly<Record<string, string | number>> {
  const messageId = asked.kind === 'messages' ? (asked.ids.at(-1) ?? 0) : 0;
  return { project: asked.project, message: told, messageId, result };
}

function summary({ asked, before, told }: Talk): string {
  const said = [...before, told].slice(-SUMMED_UP).filter((text) => text !== '');
  const lines = said.map((text) => `- ${text.replace(/\s+/g, ' ').slice(0, EXCERPT)}`);
  return [`What ${asked.project} was told so far (summed up by a simulated model):`, ...lines].join('\n');
}
