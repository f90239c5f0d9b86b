/** How much a notice to the person matters. */
export const NOTICE_LEVELS = ['info', 'success', 'warning', 'error'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];
