export { BriefingScreen } from './briefing/briefing-screen.tsx';
export { CoachCardView, CoachChoice } from './coach-card.tsx';
export { PracticeCardView, PracticeCover, PracticeFacts } from './practice-card.tsx';
export { PractiseScreen } from './practise-screen.tsx';
