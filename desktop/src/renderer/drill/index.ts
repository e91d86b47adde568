export { DrillsScreen } from './drills-screen.tsx';
export { SayScreen } from './say-screen.tsx';
