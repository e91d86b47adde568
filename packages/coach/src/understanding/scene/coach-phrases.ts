/** The phrases that a coach of any scene says when a turn was not an answer. */

export const REDIRECTS = [
  "Let's come back to this.",
  "I'm not sure how that fits.",
  "I don't quite see what you mean.",
  'All right, but let me ask you again.',
];
/** To what answers another question of the scene than the current one. */
export const REMEMBERED = [
  "Thank you, that's good to know.",
  "All right, I'll remember that.",
  "I've got that, thank you.",
];
export const NOT_UNDERSTOOD = [
  "Sorry, I didn't catch that.",
  "I'm afraid I didn't hear you.",
  'Could you say that once more?',
];
export const NOT_ENGLISH = [
  'Sorry, I only speak English here. Try it in a few simple words.',
  "Let's stay in English. A short answer is fine.",
];
export const SUGGESTION = 'You could say something like this:';
export const SKIP_PHRASES = ["Let's leave that for now.", "All right, let's go on.", 'We can come back to that.'];
export const TO_HESITATION = [
  "You don't have to be certain. {simple}",
  'Just tell me what you think right now. {simple}',
  'A rough answer is fine. {simple}',
];
/** To a question that nothing in the scene answers, before the coach goes on. */
export const UNANSWERED = ["I can't tell you for sure right now.", "I'd have to look that up later."];
/** To a question whether an answer or a wish suits the coach. */
export const LEFT_OPEN = ["We'll see about that.", 'Let me think about that.'];
/** To "And you?" where the scene says nothing about the coach. */
export const TURNED_BACK = ["There isn't much to tell about me.", "Let's stay with you for the moment."];
