/** Approve and reject, loaded with the first answer: a window that only shows questions begins without them. */
type Answers = typeof import('./approve.ts');

const answers = (): Promise<Answers> => import('./approve.ts');

export const approve: Answers['approve'] = async (...given) => (await answers()).approve(...given);
export const reject: Answers['reject'] = async (...given) => (await answers()).reject(...given);
