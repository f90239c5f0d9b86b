/** `agents choose`: chooses the agents of a feature. */
import { need } from '../../core/state/rows.ts';
import { MAX_CANDIDATES } from '../../shared/agent/executors.ts';
import { type Context, command, print, withEngine } from '../screen/context.ts';
import { plural } from '../text/format.ts';
import { parseId, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { lookAtChosen } from './chosenAgents.ts';

export interface ChooseOptions {
  readonly jobDefault?: true;
}

export async function chooseVerb(
  context: Context,
  id: string,
  names: readonly string[],
  options: ChooseOptions,
): Promise<number> {
  const featureId = parseId(id, 'feature');
  const isDefault = options.jobDefault === true;
  if (isDefault === names.length > 0) {
    throw usage(
      isDefault ? '--job-default takes no names' : 'name the agents',
      `See the names: ${command(context, 'agents')}`,
    );
  }
  if (names.length > MAX_CANDIDATES) throw usage(`at most ${MAX_CANDIDATES} agents can try one feature`);
  const feature = await withEngine(context, async (engine) => {
    await engine.request('chooseExecutors', { featureId, executors: isDefault ? null : [...names] });
    return need(engine.state, 'features', featureId);
  });
  const { executors } = feature;
  await lookAtChosen(context, names);
  print(
    context,
    { feature: { id: featureId, executors } },
    `Feature ${featureId} (${visibleLine(feature.name)}): ${words(executors)}`,
  );
  return 0;
}

function words(executors: readonly string[] | null): string {
  if (executors === null) return "the job's choice";
  if (executors.length === 1) return `by ${executors[0]}`;
  return `${plural(executors.length, 'agent')} as candidates, ${executors.join(', ')}; you pick one result`;
}
