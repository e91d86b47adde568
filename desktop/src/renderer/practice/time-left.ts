/** What is left of a plan's minutes, in words: what is urgent changes only when five minutes are left, one, and none. */

export interface TimeLeft {
  text: string;
  isUrgent: boolean;
}

/** `leftS`: null where nothing is counted. */
export function timeLeft(leftS: number | null): TimeLeft {
  if (leftS === null) return { text: 'Speak when you like; you may interrupt.', isUrgent: false };
  if (leftS === 0) return { text: 'Your minutes are used up. Say goodbye.', isUrgent: true };
  if (leftS <= 60) return { text: 'Less than a minute left of your plan.', isUrgent: true };
  if (leftS <= 300) return { text: 'Less than five minutes left of your plan.', isUrgent: true };
  return { text: `${Math.floor(leftS / 60)} minutes left of your plan.`, isUrgent: false };
}
