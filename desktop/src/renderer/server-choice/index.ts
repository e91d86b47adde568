/** Choosing where the learner's work is kept: at the first start, in the settings, and from a link. */
export { FirstChoiceScreen } from './first-choice-screen.tsx';
export { ServerCard } from './server-card.tsx';
export { ConnectScreen } from './connect-screen.tsx';
