/** What screens are laid out with: cards, rows, banners, and the states of having nothing, waiting and failing. */
import type { ReactElement, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icons.tsx';
import css from './surfaces.module.css';

export const Card = ({ children }: { children: ReactNode }): ReactElement => (
  <div className={css['card']}>{children}</div>
);

export const Stack = ({ children, tight = false }: { children: ReactNode; tight?: boolean }): ReactElement => (
  <div className={cx(css['stack'], tight && css['tight'])}>{children}</div>
);

export const Row = ({ children, spread = false }: { children: ReactNode; spread?: boolean }): ReactElement => (
  <div className={cx(css['row'], spread && css['spread'])}>{children}</div>
);

export const Quiet = ({ children, small = false }: { children: ReactNode; small?: boolean }): ReactElement => (
  <p className={cx(css['quiet'], small && css['small'])}>{children}</p>
);

/** An e-mail address: it breaks anywhere, since nothing else in it may be broken. */
export const Address = ({ children }: { children: string }): ReactElement => (
  <strong className={css['address']}>{children}</strong>
);

export const Badge = ({ children, icon }: { children: ReactNode; icon?: IconName }): ReactElement => (
  <span className={css['badge']}>
    {icon !== undefined && <Icon name={icon} size={14} />}
    {children}
  </span>
);

export interface BannerProps {
  tone?: 'info' | 'warn' | 'error';
  children: ReactNode;
  action?: ReactNode;
}

export const Banner = ({ tone = 'info', children, action }: BannerProps): ReactElement => (
  <div
    className={cx(css['banner'], tone === 'warn' && css['warn'], tone === 'error' && css['error'])}
    role={tone === 'error' ? 'alert' : 'status'}
  >
    {tone !== 'info' && <Icon name="warning" />}
    <div>{children}</div>
    {action}
  </div>
);

export const EmptyState = (props: { title: string; children: ReactNode; action?: ReactNode }): ReactElement => (
  <div className={css['empty']}>
    <h2>{props.title}</h2>
    <Quiet>{props.children}</Quiet>
    {props.action}
  </div>
);

export const Skeleton = ({ label }: { label: string }): ReactElement => (
  <div className={css['stack']} role="status" aria-label={label}>
    <div className={css['skeleton']} />
    <div className={css['skeleton']} />
  </div>
);

export const Avatar = ({ src, size = 40 }: { src: string; size?: number }): ReactElement => (
  <img className={css['avatar']} src={src} alt="" width={size} height={size} />
);
