/** The sections of the panel, in the order of the navigation. */
import { t } from '@parley/i18n';
import type { PanelIconName } from '../foundation/icon/panel-icon.tsx';

/** `all` is the number of items that wait for a decision. */
export type Badge = 'all' | 'mail';

export interface Section {
  to: string;
  title: string;
  icon: PanelIconName;
  badge?: Badge;
}

export const NAVIGATION: readonly Section[] = [
  { to: '/', title: t('Home'), icon: 'home', badge: 'all' },
  { to: '/learners', title: t('Learners'), icon: 'learners' },
  { to: '/classes', title: t('Classes'), icon: 'classes' },
  { to: '/courses', title: t('Courses'), icon: 'courses' },
  { to: '/practices', title: t('Practices'), icon: 'practices' },
  { to: '/coaches', title: t('Coaches'), icon: 'coaches' },
  { to: '/videos', title: t('Videos'), icon: 'videos' },
  { to: '/blog', title: t('Blog'), icon: 'blog' },
  { to: '/industries', title: t('Industries'), icon: 'industries' },
  { to: '/products', title: t('Prices'), icon: 'prices' },
  { to: '/mail', title: t('Mail'), icon: 'mail', badge: 'mail' },
  { to: '/numbers', title: t('Statistics'), icon: 'numbers' },
  { to: '/reports', title: t('Reported practices'), icon: 'reports' },
  { to: '/crashes', title: t('Crash reports'), icon: 'crashes' },
  { to: '/audit', title: t('Audit log'), icon: 'audit' },
  { to: '/settings', title: t('Settings'), icon: 'settings' },
];
