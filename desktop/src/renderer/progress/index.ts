export { ProgressScreen } from './progress-screen.tsx';
