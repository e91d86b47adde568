/** Layout parts: cards, rows, banners, and the empty and loading states. */
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

export const MutedText = ({ children, small = false }: { children?: ReactNode; small?: boolean }): ReactElement => (
  <p className={cx(css['quiet'], small && css['small'])}>{children}</p>
);

/** An e-mail address or URL, which may break anywhere because it has no spaces. */
export const Address = ({ children }: { children?: ReactNode }): ReactElement => (
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
    <Silence />
    <h2>{props.title}</h2>
    <MutedText>{props.children}</MutedText>
    {props.action}
  </div>
);

/** Silence: a row of dots, which become bars while something is being waited for. */
const Silence = ({ isWaiting = false }: { isWaiting?: boolean }): ReactElement => (
  <div className={cx(css['silence'], isWaiting && css['waiting'])} aria-hidden="true">
    {Array.from({ length: 12 }, (_, index) => (
      <i key={index} />
    ))}
  </div>
);

/** Shown while data loads: nothing in the first 300 ms, then dots that become bars, and after two seconds what it waits for and why. */
export const Skeleton = ({ label, reason }: { label: string; reason?: string }): ReactElement => (
  <div role="status" className={css['wait']}>
    <Silence isWaiting />
    <p className={css['why']}>
      {label} {reason !== undefined && <span>{reason}</span>}
    </p>
  </div>
);
