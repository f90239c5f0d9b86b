/** What waits for the steward. Nothing here decides by itself: the host asks again where that is needed. */
import { useState } from 'react';
import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { post } from '../bridge.ts';
import { localTime, visible, words } from '../format.ts';
import { look } from '../store.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Select.tsx';

const LONG_DETAIL = 400;

function Detail({ text }: { readonly text: string }) {
  if (text === '') return null;
  if (text.length <= LONG_DETAIL) return <p className="prose">{visible(text)}</p>;
  return (
    <details>
      <summary>Details</summary>
      <p className="prose">{visible(text)}</p>
    </details>
  );
}

function Approval({ approval }: { readonly approval: PanelApproval }) {
  const { id, featureId, choices, executables, detail, reviewable } = approval;
  const [picked, setPicked] = useState(choices[0] ?? '');
  const question = visible(approval.question);
  const choice = choices.length === 0 ? null : picked;
  return (
    <li className="approval">
      <p className="muted">
        {words(approval.kind)}, {localTime(approval.requestedAt)}
      </p>
      <h3>{question}</h3>
      <Detail text={detail} />
      {executables.length === 0 ? null : (
        <p className="callout">Files that would run on this machine: {executables.map(visible).join(', ')}</p>
      )}
      {choices.length === 0 ? null : (
        <Select
          label="How to go on"
          value={picked}
          choices={choices.map((value) => ({ value, label: words(value) }))}
          onPick={setPicked}
        />
      )}
      <div className="row">
        {reviewable ? (
          <Button
            label="Review Changes"
            describes={question}
            onPress={() => post({ kind: 'review', approvalId: id })}
          />
        ) : null}
        <Button
          secondary={reviewable}
          label="Approve"
          describes={question}
          onPress={() => post({ kind: 'approve', approvalId: id, choice, feedback: null })}
        />
        <Button
          secondary
          label="Reject…"
          describes={question}
          onPress={() => post({ kind: 'reject', approvalId: id })}
        />
        {featureId === null ? null : (
          <button type="button" className="link" onClick={() => look({ tab: 'board', selected: featureId })}>
            Show feature
          </button>
        )}
      </div>
    </li>
  );
}

export function Approvals({ approvals }: { readonly approvals: readonly PanelApproval[] }) {
  return (
    <ul className="approvals" aria-label="Waits for you">
      {approvals.map((approval) => (
        <Approval key={approval.id} approval={approval} />
      ))}
    </ul>
  );
}
