export { ReviewScreen } from './review-screen.tsx';
export { SessionWords } from './session-words.tsx';
