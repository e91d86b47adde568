export { BriefingScreen } from './briefing-screen.tsx';
export { CoachCardView, CoachChoice } from './coach-card.tsx';
export { PracticeCardView } from './practice-card.tsx';
export { PractiseScreen } from './practise-screen.tsx';
