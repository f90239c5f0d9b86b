/** A model that works on the commits of a package's history: some models solve them, others do not. */
import type { Answer } from '../../../src/adapters/simulated/model.ts';
import { bash, report, write } from '../demo/briefs.ts';
import type { Change, Package } from '../mistakes/packages.ts';
import { type Call, PlayedModel, type Request, type Script } from '../mistakes/player.ts';

export const SOLVES = 'claude-sonnet-5-5';
export const FAILS = 'claude-haiku-5-5';

interface EvalModelOptions {
  /** Commands of each worker before its work, and what receives their output. */
  readonly looks?: readonly string[];
  seen?(output: string): void;
  /** Instead of the work. */
  readonly works?: (change: Change, first: Request) => Script;
}

/** The same request gets the same answer, as one whose answer was lost is sent again. */
export function evalModel(of: Package, options: EvalModelOptions = {}): Pick<PlayedModel, 'answer'> {
  const model = new PlayedModel((first) => play(of, first, options));
  const answers = new Map<string, Answer>();
  return {
    answer: (path, body) => {
      const answer = answers.get(path + body) ?? model.answer(path, body);
      answers.set(path + body, answer);
      return answer;
    },
  };
}

const changeIn = (of: Package, first: Request): Change => {
  const found = of.changes.find(({ description }) => first.all.includes(description));
  if (found === undefined) throw new Error('the brief is of no change');
  return found;
};

function* play(of: Package, first: Request, options: EvalModelOptions): Script {
  const { assignment } = first;
  switch (assignment.role) {
    case 'planner':
      yield { calls: [{ tool: 'submit_plan', input: planOf(changeIn(of, first)) }] };
      return;
    case 'reviewer':
      yield { calls: [{ tool: 'submit_verdict', input: { verdict: 'APPROVED', reason: 'Each criterion is met.' } }] };
      return;
    case 'summarizer':
      yield { text: 'The change is there.' };
      return;
    case 'worker': {
      const change = changeIn(of, first);
      for (const command of options.looks ?? []) options.seen?.((yield { calls: [bash(command)] }).news);
      if (options.works !== undefined) yield* options.works(change, first);
      else if (first.model === FAILS) yield { calls: [write('NOTES.md', `About ${change.name}.\n`)] };
      else yield* solves(change);
      yield { calls: [report('done')] };
    }
  }
}

function* solves({ file, edits }: Change): Script {
  yield { calls: [{ tool: 'read', input: { file_path: file } }] };
  const edit = ({ at, becomes }: Change['edits'][number]): Call => ({
    tool: 'edit',
    input: { file_path: file, old_string: at, new_string: becomes },
  });
  yield { calls: edits.map(edit) };
}

function planOf({ name, description, file }: Change): Record<string, unknown> {
  const feature = { name, description, category: file, testing_steps: [], depends_on: [] };
  return {
    title: name,
    phases: [
      {
        title: 'Work',
        objective: description,
        acceptance_criteria: ['The change is there.'],
        verify_commands: ['ls'],
        features: [feature],
      },
    ],
  };
}
