/** Why something does not move, until when, and what can be done about it now. */
import type { ReactNode } from 'react';
import type { Waiter, Waiting } from '../../../src/shared/waiting.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { Link } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { changesAt, sinceText, waitText } from './text/waitFacts.ts';
import { useNowAt } from './use/useNow.ts';

interface WaitLineProps {
  readonly waiting: Waiting;
  readonly of: Waiter;
  readonly id: string;
  /** The name of the waiting object, for screen readers. */
  readonly describes: string;
  /** Instead of the words of the wait. */
  readonly text?: string | undefined;
  /** Other ways out. */
  readonly children?: ReactNode;
}

export function WaitLine({ waiting, of, id, describes, text, children }: WaitLineProps) {
  const now = useNowAt(...changesAt(waiting));
  const since = sinceText(waiting, now);
  return (
    <p className="job-why wait-line">
      <Icon name="clock" />
      <span>{text ?? waitText(waiting, now)}</span>
      {since === '' ? null : <span className="muted">{since}</span>}
      {waiting.now.includes('try_now') ? (
        <Link label={t('Try Now')} describes={describes} onPress={() => post({ kind: 'tryNow', of, id })} />
      ) : null}
      {children}
    </p>
  );
}
