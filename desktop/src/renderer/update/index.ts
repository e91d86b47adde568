export { OutdatedBanner } from './outdated-banner.tsx';
export { UpdateScreen } from './update-screen.tsx';
