import { post } from './bridge.ts';
import { Button } from './ui/Button.tsx';
import { Icon } from './ui/Icon.tsx';

/** Before the first brief. */
export function Empty() {
  return (
    <div className="empty">
      <Icon name="project" />
      <h2>No jobs yet</h2>
      <p>
        Write a brief, and Autonomous plans it, works on it in a clone of its own, and asks you before anything is
        merged.
      </p>
      <Button label="New Brief" onPress={() => post({ kind: 'newBrief' })} />
      <Button secondary label="Try the Demo" onPress={() => post({ kind: 'runDemo' })} />
      <p className="muted">The demo needs no key and costs nothing.</p>
    </div>
  );
}
