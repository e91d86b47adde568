export { CrashesScreen } from './crashes-screen.tsx';
