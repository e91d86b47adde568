/** The sections of the panel, in the order of the navigation. */
import type { NavIconName } from './nav-icon.tsx';

/** `all`: everything that waits for a decision. */
export type Badge = 'all' | 'mail';

export interface Section {
  to: string;
  title: string;
  icon: NavIconName;
  badge?: Badge;
}

export const NAVIGATION: readonly Section[] = [
  { to: '/', title: 'Home', icon: 'home', badge: 'all' },
  { to: '/learners', title: 'Learners', icon: 'learners' },
  { to: '/classes', title: 'Classes', icon: 'classes' },
  { to: '/courses', title: 'Courses', icon: 'courses' },
  { to: '/practices', title: 'Practices', icon: 'practices' },
  { to: '/coaches', title: 'Coaches', icon: 'coaches' },
  { to: '/videos', title: 'Videos', icon: 'videos' },
  { to: '/blog', title: 'Blog', icon: 'blog' },
  { to: '/industries', title: 'Industries', icon: 'industries' },
  { to: '/products', title: 'Prices', icon: 'prices' },
  { to: '/mail', title: 'Mail', icon: 'mail', badge: 'mail' },
  { to: '/numbers', title: 'Numbers', icon: 'numbers' },
  { to: '/audit', title: 'Audit log', icon: 'audit' },
  { to: '/settings', title: 'Settings', icon: 'settings' },
];
