export { NumbersScreen } from './numbers-screen.tsx';
