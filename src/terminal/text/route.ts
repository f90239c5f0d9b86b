/** Formats the choice of a model by routing. */
import type { Route } from '../../shared/routing.ts';

/** The reason begins with the model. */
export const routeLine = ({ mode, reason }: Route): string => (mode === 'on' ? reason : `Routing suggests ${reason}`);
