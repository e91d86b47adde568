/** The phrases that a coach of any scene says when a turn was not an answer. */
import { IN_DANGER, UPSET } from '../rules/distress.ts';
import { TOLD } from '../turn/look-around.ts';
import { UNSURE } from '../rules/bare-reply.ts';
import { REFERS_BACK, STOP } from '../rules/corrections/corrections.ts';
import { ONLY_TIME, RULED_OUT } from '../rules/values/ruled-out-day.ts';
import {
  ABOUT_PERSON,
  COACH_NAME,
  OPINION,
  OTHER_LANGUAGE,
  OTHER_PERSON,
  TOO_EASY,
  UP_TO_COACH,
  WHY_NOT,
} from '../rules/questions/fixed-questions.ts';

export const REDIRECTS = [
  "Let's come back to this.",
  "I'm not sure how that fits.",
  "I don't quite see what you mean.",
  'All right, but let me ask you again.',
];
/** Replies to what may answer another question of the scene, before the coach asks its own again. */
export const ACKNOWLEDGEMENTS = ['I see.', 'All right.', 'Okay.'];
/** Replies to what answers another question of the scene than the current one. */
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
/** Replies to a learner who is in danger or upset. They ask nothing, so that the scene puts no pressure on them. */
const TO_DISTRESS: Readonly<Record<string, readonly string[]>> = {
  [IN_DANGER]: [
    "That sounds serious, and I'm only a practice program, so please talk to somebody you trust right now. If you're in danger, call your local emergency number.",
    "Please don't stay alone with this. Call your local emergency number or a helpline, or tell somebody close to you. We can stop here.",
    "I'm glad you've told me, but you need a real person now. Call somebody you trust, or your local emergency number. The practice can wait.",
  ],
  [UPSET]: [
    "I'm sorry. We don't have to go on now. Take a break if you need one, or answer when you feel ready.",
    "I'm sorry you're going through this. There's no hurry at all, and we can stop here if you like.",
    'Take all the time you need. You can close the practice, and come back whenever you like.',
  ],
};
/** Replies to a learner who asks to stop again. They do not ask the question that the learner wants to leave. */
const TO_STOP_AGAIN = [
  "All right, we'll stop here. You can close the practice now.",
  'Of course. End the practice whenever you like, and come back another day.',
  "Then that's all for today. You can leave the practice now.",
];
/** Replies after which the coach waits; undefined for acts after which it asks its question again. */
export const repliesWithoutQuestion = (
  act: string,
  { turnsAtNode }: { turnsAtNode: number },
): readonly string[] | undefined => (act === STOP && turnsAtNode > 0 ? TO_STOP_AGAIN : TO_DISTRESS[act]);
/** Replies to what is said in the same way in every scene. */
export const TO_FIXED_ACTS: Readonly<Record<string, readonly string[]>> = {
  [UNSURE]: [
    "You don't have to be certain. {simple}",
    'Just tell me what you think right now. {simple}',
    'A rough answer is fine. {simple}',
  ],
  [TOLD]: ['I see. {simple}', 'All right. {simple}', 'Thank you for telling me. {simple}'],
  [ONLY_TIME]: [
    "I've noted the time, but I still need the day. {simple}",
    "All right, that's the time. {line}",
    "Thank you, but that's only the time. {line}",
  ],
  [RULED_OUT]: [
    'All right, not then. {line}',
    'I see, then it has to be another day. {simple}',
    "That doesn't suit you, I've noted that. {line}",
  ],
  [UP_TO_COACH]: [
    "I'd rather leave that to you. {simple}",
    "No, you decide. I'm happy either way. {simple}",
    "It's really your choice. {simple}",
  ],
  [REFERS_BACK]: [
    'Remind me, please. {simple}',
    "I don't think you've told me yet. {simple}",
    "I don't have that here, I'm afraid. {simple}",
  ],
  [WHY_NOT]: [
    "That's just how it is, I'm afraid. {simple}",
    "It isn't entirely up to me, I'm afraid. {simple}",
    'I have my reasons. {simple}',
  ],
  [OPINION]: [
    "I'd like to hear what you think first. {simple}",
    "I haven't made up my mind yet. {simple}",
    'Tell me how you see it first. {line}',
  ],
  [TOO_EASY]: [
    'Then choose a harder level next time, if there is one. {line}',
    'Good! If this was not the hardest level, choose a harder one next time. {line}',
    'Then give me longer answers, and try this at the hardest level next time. {line}',
  ],
  [OTHER_PERSON]: [
    "I'm afraid you'll have to make do with me today. {simple}",
    "There's only me at the moment, but I'll do what I can. {simple}",
    'Everyone else is busy right now, so let me help you. {line}',
  ],
  [OTHER_LANGUAGE]: [
    "I'm afraid I only speak English. {simple}",
    "Only English, I'm afraid, but I'll keep it simple. {simple}",
    "Let's stay in English. Short answers are fine. {line}",
  ],
  [COACH_NAME]: ["I'm {coach}. {simple}", 'My name is {coach}. {line}'],
  [ABOUT_PERSON]: [
    "There isn't much to tell about me. {simple}",
    "I'd rather hear about you first. {line}",
    "Let's stay with you for the moment. {simple}",
  ],
};
/** Replies to a learner who asks which of two answers is meant. */
export const TO_CHOICE = ['Either is fine. {simple}', 'Whatever fits your situation best. {simple}'];
/** Replies to a question that nothing in the scene answers, before the coach goes on. */
export const UNANSWERED = ["I can't tell you for sure right now.", "I'd have to look that up later."];
/** Replies to a question about whether an answer or a wish suits the coach. */
export const LEFT_OPEN = ["We'll see about that.", 'Let me think about that.'];
/** Replies to a request for permission, where the scene says nothing about it. */
export const LEAVE_LEFT_OPEN = ['Let me think about that.', 'We can talk about that in a moment.'];
/** Replies to "What do you think?" from a learner who has just said what they think. */
export const UNDECIDED = ["I haven't made up my mind yet.", "I'm still thinking about it myself."];
/** Replies to "And you?" where the scene says nothing about the coach. */
export const TURNED_BACK = ["There isn't much to tell about me.", "Let's stay with you for the moment."];
