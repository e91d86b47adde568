export { CoachScreen } from './coach-screen.tsx';
