/** The label of a field or a choice. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export interface Labelled {
  label: string;
  /** Hides the label from everyone but screen readers. */
  hideLabel?: boolean;
}

export const Label = ({ label, hideLabel = false }: Labelled): ReactElement | null =>
  hideLabel ? null : <Aria.Label className={cx(css['label'])}>{label}</Aria.Label>;

export const ariaLabelWhenHidden = ({ label, hideLabel = false }: Labelled): { 'aria-label'?: string } =>
  hideLabel ? { 'aria-label': label } : {};
