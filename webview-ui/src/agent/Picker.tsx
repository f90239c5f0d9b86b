/** Chooses who works on a pending feature: one agent, or several to compare. */

import { useEffect, useRef, useState } from 'react';
import { type AgentProbe, BUILT_IN, MAX_CANDIDATES } from '../../../src/shared/agent/executors.ts';
import type { PanelCard, PanelView } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { executorsOf } from '../store/shown.ts';
import { usePage } from '../store/store.ts';
import { Button, Link } from '../ui/Button.tsx';
import { visible } from '../ui/text/format.ts';
import { agentTitle, whyNotChosen } from './agentFacts.ts';

const STATES: Readonly<Record<AgentProbe['state'], string>> = {
  ready: '',
  missing: t('not installed'),
  login: t('not signed in'),
  unusable: t('cannot be used'),
};

function factsOf({ state, version, priced }: AgentProbe): string[] {
  const paid = priced ? t('priced by Autonomous') : t('own account, not priced');
  return [...(version === null ? [] : [visible(version)]), ...(STATES[state] === '' ? [] : [STATES[state]]), paid];
}

interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly facts: readonly string[];
  /** Problems with the agent, and their fixes. */
  readonly hints?: readonly string[];
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onToggle: (name: string) => void;
}

function Choice({ name, title, facts, hints = [], checked, disabled = false, onToggle }: ChoiceProps) {
  return (
    <li className="agent-choice">
      <label>
        <input type="checkbox" checked={checked} disabled={disabled} onChange={() => onToggle(name)} />
        <span>
          <strong>{title}</strong> <span className="muted">{facts.join(' · ')}</span>
          {hints.map((hint) => (
            <span key={hint} className="agent-hint">
              {visible(hint)}
            </span>
          ))}
        </span>
      </label>
    </li>
  );
}

function Known({
  agent,
  checked,
  onToggle,
}: Pick<ChoiceProps, 'checked' | 'onToggle'> & { readonly agent: AgentProbe }) {
  const { name, state, detail, fix, lacks } = agent;
  const lacking = lacks.length === 0 ? [] : [t('Lacks: {0}', lacks.join(', '))];
  const hints = state === 'ready' ? lacking : [...new Set([detail, fix])].filter((hint) => hint !== '');
  return (
    <Choice
      name={name}
      title={visible(agent.title)}
      facts={factsOf(agent)}
      hints={hints}
      checked={checked}
      // Chosen before, it can still be taken out.
      disabled={!checked && (state === 'missing' || state === 'unusable')}
      onToggle={onToggle}
    />
  );
}

/** The effect of the choice; announced when it changes. */
function outcome(chosen: readonly string[]): string {
  if (chosen.length > MAX_CANDIDATES) return t('You can compare at most {0} agents.', MAX_CANDIDATES);
  if (chosen.length < 2) return '';
  return t(
    '{0} agents try it one after another from the same tree, each at its own cost. You pick one result.',
    chosen.length,
  );
}

interface ChoosingProps {
  readonly card: PanelCard;
  readonly view: PanelView;
  readonly close: () => void;
}

function Choosing({ card, view: { agents: known = [], jobs }, close }: ChoosingProps) {
  const [chosen, setChosen] = useState(() => executorsOf(card));
  const why = whyNotChosen(card, jobs);
  const choose = (executors: string[] | null) => {
    post({ kind: 'chooseExecutors', featureId: card.id, executors });
    close();
  };
  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  const unknown = chosen.filter((name) => name !== BUILT_IN && !known.some((agent) => agent.name === name));
  const fits = chosen.length > 0 && chosen.length <= MAX_CANDIDATES;
  return (
    <>
      <h2 id="agents-title">{t('Who works on “{0}”?', visible(card.name))}</h2>
      {why === '' ? null : <p className="callout">{why}</p>}
      <ul className="plain" aria-labelledby="agents-title">
        <Choice
          name={BUILT_IN}
          title={agentTitle(known, BUILT_IN)}
          facts={[t('priced by Autonomous')]}
          checked={chosen.includes(BUILT_IN)}
          onToggle={toggle}
        />
        {known.map((agent) => (
          <Known key={agent.name} agent={agent} checked={chosen.includes(agent.name)} onToggle={toggle} />
        ))}
        {unknown.map((name) => (
          <Choice
            key={name}
            name={name}
            title={visible(name)}
            facts={[t('not known here')]}
            checked
            onToggle={toggle}
          />
        ))}
      </ul>
      <p className="muted" role="status">
        {outcome(chosen)}
      </p>
      <div className="row">
        {why === '' && fits ? (
          <Button
            label={chosen.length > 1 ? t('Compare Agents') : t('Choose This Agent')}
            onPress={() => choose([...chosen])}
          />
        ) : null}
        {why === '' ? <Button secondary label={t('As Set in the Job')} onPress={() => choose(null)} /> : null}
        <Button secondary label={t('Cancel')} onPress={close} />
        <Link
          label={t('Install One, or Look Again…')}
          onPress={() => {
            post({ kind: 'chooseAgent', featureId: card.id });
            close();
          }}
        />
      </div>
    </>
  );
}

/** Escape closes the dialog, and the focus returns to the element that opened it. */
export function Picker({ view }: { readonly view: PanelView }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const choosing = usePage((page) => page.choosing);
  const card = view.cards.find(({ id }) => id === choosing?.featureId);
  const isKnown = card !== undefined;
  useEffect(() => {
    const element = dialog.current;
    if (choosing !== null && isKnown && element?.open === false) element.showModal();
  }, [choosing, isKnown]);
  if (card === undefined) return null;
  return (
    <dialog
      ref={dialog}
      className="agents"
      aria-labelledby="agents-title"
      onClose={({ currentTarget }) => {
        // The event arrives some time after the dialog closed, which may be open again.
        if (!currentTarget.open) usePage.setState({ choosing: null });
      }}
    >
      <Choosing key={card.id} card={card} view={view} close={() => dialog.current?.close()} />
    </dialog>
  );
}
