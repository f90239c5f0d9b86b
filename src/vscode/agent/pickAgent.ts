/** The list of agents: pick one, or several to compare. An agent that is not installed leads to its installation. */
import * as vscode from 'vscode';
import type { LookedAgent } from '../../engine/workspace/workspace.ts';
import { BUILT_IN, MAX_CANDIDATES } from '../../shared/agent/executors.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { abilityNames, paidText, stateName } from './agentWords.ts';
import { offerToGet } from './getAgent.ts';

interface Row extends vscode.QuickPickItem {
  /** Returns null for the default choice, undefined to ask again. */
  take(): Promise<readonly string[] | null | undefined>;
}

export interface AgentQuestion {
  readonly title: string;
  readonly now: readonly string[];
  /** Label of the default choice, for example `As set in its job`. If absent, an agent must be picked. */
  readonly otherwise?: string;
  readonly several: boolean;
}

const ICONS = { ready: 'check', missing: 'cloud-download', login: 'sign-in', unusable: 'warning' } as const;
/** Prevents icons in titles of the data file. */
const shown = (text: string): string => plainWords(text).replaceAll('$(', '$\u200b(');

/** Returns null for the default choice, undefined if dismissed. */
export async function pickAgent(
  { agents }: Pick<HostContext, 'agents'>,
  question: AgentQuestion,
): Promise<readonly string[] | null | undefined> {
  let known = (await agents.look()).agents;
  for (;;) {
    const again: Row = {
      label: vscode.l10n.t('$(refresh) Look again'),
      take: async () => {
        known = (await agents.look(true)).agents;
        return undefined;
      },
    };
    const options = { title: question.title, matchOnDescription: true, ignoreFocusOut: true };
    const row = await vscode.window.showQuickPick([...rowsFor(known, question), again], options);
    if (row === undefined) return undefined;
    const taken = await row.take();
    if (taken !== undefined) return taken;
  }
}

function rowsFor(known: readonly LookedAgent[], question: AgentQuestion): Row[] {
  const { now, otherwise, several } = question;
  const mark = (names: readonly string[]): string => (String(names) === String(now) ? 'circle-filled' : 'check');
  const builtIn: Row = {
    label: `$(${mark([BUILT_IN])}) ${vscode.l10n.t('Built-in agent')}`,
    description: vscode.l10n.t('priced by Autonomous'),
    take: async () => [BUILT_IN],
  };
  const ready = known.filter(({ probe }) => probe.state === 'ready');
  const others = known.filter(({ probe }) => probe.state !== 'ready');
  return [
    ...(otherwise === undefined
      ? []
      : [{ label: `$(${now.length === 0 ? 'circle-filled' : 'dash'}) ${otherwise}`, take: async () => null }]),
    builtIn,
    ...ready.map((agent) => ({
      label: `$(${mark([agent.probe.name])}) ${shown(agent.probe.title)}`,
      ...textsOf(agent),
      take: async () => [agent.probe.name],
    })),
    ...(several && ready.length > 0
      ? [
          {
            label: vscode.l10n.t('$(split-horizontal) Several agents, to compare…'),
            detail: vscode.l10n.t('Each agent starts from the same tree, one after another. You pick one result.'),
            take: () => pickSeveral(ready, now),
          },
        ]
      : []),
    ...others.map((agent) => ({
      label: `$(${ICONS[agent.probe.state]}) ${shown(agent.probe.title)}`,
      ...textsOf(agent),
      take: async () => ((await offerToGet(agent)) ? [agent.probe.name] : undefined),
    })),
  ];
}

function textsOf({ probe }: LookedAgent): { readonly description: string; readonly detail: string } {
  const { name, state, version, detail } = probe;
  const [can, lacks] = [abilityNames(probe.can), abilityNames(probe.lacks)];
  const parts = [
    name,
    ...(version === null ? [] : [version]),
    paidText(probe),
    ...(state === 'ready' ? [] : [stateName(state)]),
  ];
  const abilities = [
    ...(can.length === 0 ? [] : [can.join(', ')]),
    ...(lacks.length === 0 ? [] : [vscode.l10n.t('lacks: {0}', lacks.join(', '))]),
  ];
  return {
    description: shown(parts.join(' · ')),
    detail: shown(state === 'ready' && abilities.length > 0 ? abilities.join(' · ') : detail),
  };
}

/** Returns undefined if dismissed or if no agent was picked. */
async function pickSeveral(
  ready: readonly LookedAgent[],
  now: readonly string[],
): Promise<readonly string[] | undefined> {
  const items = [
    { label: vscode.l10n.t('Built-in agent'), description: vscode.l10n.t('priced by Autonomous'), name: BUILT_IN },
    ...ready.map((agent) => ({ label: shown(agent.probe.title), ...textsOf(agent), name: agent.probe.name })),
  ].map((item) => ({ ...item, picked: now.includes(item.name) }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which agents should try it? At most {0}', MAX_CANDIDATES),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  if (picked.length <= MAX_CANDIDATES) return picked.map(({ name }) => name);
  void vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('You can compare at most {0} agents.', MAX_CANDIDATES)),
  );
  return undefined;
}
