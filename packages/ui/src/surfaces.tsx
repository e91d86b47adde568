/** Layout parts: cards, rows, banners, and the empty and loading states. */
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icons.tsx';
import { SpeechPicture, type SpeechPictureName } from './pictures/speech-picture.tsx';
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

export const EmptyState = (props: {
  title: string;
  picture?: SpeechPictureName;
  children: ReactNode;
  action?: ReactNode;
}): ReactElement => (
  <div className={css['empty']}>
    <SpeechPicture name={props.picture ?? 'silence'} />
    <h2>{props.title}</h2>
    <MutedText>{props.children}</MutedText>
    {props.action}
  </div>
);

export interface NoticeProps {
  picture: SpeechPictureName;
  /** The problem. */
  title: string;
  /** What to do about it. */
  children: ReactNode;
  /** The button that does it. */
  actions?: ReactNode;
  isAlert?: boolean;
}

/** Something that did not work, shown next to where it belongs: a picture of what happened, and what to do. */
export const Notice = ({ picture, title, children, actions, isAlert = false }: NoticeProps): ReactElement => (
  <div className={css['notice']} role={isAlert ? 'alert' : 'status'}>
    <SpeechPicture name={picture} />
    <div className={css['noticeText']}>
      <h2>{title}</h2>
      <MutedText>{children}</MutedText>
      {actions !== undefined && actions !== false && <Row>{actions}</Row>}
    </div>
  </div>
);

/** Dots that become bars while something is being waited for. */
const WaitingDots = (): ReactElement => (
  <div className={cx(css['silence'], css['waiting'])} aria-hidden="true">
    {Array.from({ length: 12 }, (_, index) => (
      <i key={index} />
    ))}
  </div>
);

const SLOW_AFTER_MS = 2_000;

/**
 * Shown while data loads: nothing for the first 300 ms, then dots that become bars, and after two seconds what it is
 * waiting for and why. Screen readers announce the label at once, and the reason only when it takes that long.
 */
export function Skeleton({ label, reason }: { label: string; reason?: string }): ReactElement {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className={css['wait']}>
      <WaitingDots />
      <p className={css['why']}>
        {label}
        {isSlow && reason !== undefined && <SlowReason>{reason}</SlowReason>}
      </p>
    </div>
  );
}

/** The full stop is for screen readers, because on screen the reason has a line of its own. */
const SlowReason = ({ children }: { children: string }): ReactElement => (
  <>
    <span className={css['stop']}>. </span>
    <span className={css['reason']}>{children}</span>
  </>
);
