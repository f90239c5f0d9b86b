/** Importance of a notice to the person. */
export const NOTICE_LEVELS = ['info', 'success', 'warning', 'error'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];
