/** Things to press, choose and fill in: React Aria's behaviour under our own looks. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from './class-names.ts';
import css from './controls.module.css';
import { Icon, type IconName } from './icons.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps {
  look?: Look;
  large?: boolean;
  icon?: IconName;
  isDisabled?: boolean;
  autoFocus?: boolean;
  type?: 'button' | 'submit';
  onPress?: () => void;
  children: ReactNode;
}

export function Button({ look = 'secondary', large = false, icon, children, ...rest }: ButtonProps): ReactElement {
  return (
    <Aria.Button className={cx(css['button'], css[look], large && css['large'])} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Aria.Button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'large' | 'icon'> {
  icon: IconName;
  /** What it does, for a screen reader and on hover. */
  label: string;
}

export function IconButton({ look = 'quiet', icon, label, ...rest }: IconButtonProps): ReactElement {
  return (
    <Aria.TooltipTrigger delay={500}>
      <Aria.Button className={cx(css['button'], css[look], css['icon'])} aria-label={label} {...rest}>
        <Icon name={icon} />
      </Aria.Button>
      <Aria.Tooltip className={cx(css['popover'])}>{label}</Aria.Tooltip>
    </Aria.TooltipTrigger>
  );
}

export interface ToggleProps {
  icon: IconName;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** A button that stays pressed. */
export function Toggle({ icon, children, ...rest }: ToggleProps): ReactElement {
  return (
    <Aria.ToggleButton className={cx(css['button'], css['secondary'], css['toggle'])} {...rest}>
      <Icon name={icon} />
      {children}
    </Aria.ToggleButton>
  );
}

export interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  description?: string;
  placeholder?: string;
  autoFocus?: boolean;
  /** Kept for a screen reader only. */
  hideLabel?: boolean;
  maxLength?: number;
  type?: 'text' | 'search' | 'email';
  inputMode?: 'numeric';
  autoComplete?: 'email' | 'one-time-code' | 'given-name' | 'organization-title';
}

export function TextField({
  label,
  description,
  placeholder,
  hideLabel = false,
  onSubmit,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Aria.TextField
      className={cx(css['field'])}
      {...(hideLabel ? { 'aria-label': label } : {})}
      {...rest}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && onSubmit !== undefined) onSubmit();
        else event.continuePropagation();
      }}
    >
      {!hideLabel && <Aria.Label className={cx(css['label'])}>{label}</Aria.Label>}
      <Aria.Input className={cx(css['input'])} {...(placeholder === undefined ? {} : { placeholder })} />
      {description !== undefined && (
        <Aria.Text slot="description" className={cx(css['description'])}>
          {description}
        </Aria.Text>
      )}
    </Aria.TextField>
  );
}

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  hideLabel?: boolean;
}

/** A few options side by side. */
export function Segments<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  const { label, options, value, onChange, hideLabel = false } = props;
  return (
    <Aria.RadioGroup
      className={cx(css['field'])}
      value={value}
      onChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen);
        if (option !== undefined) onChange(option.value);
      }}
      {...(hideLabel ? { 'aria-label': label } : {})}
      orientation="horizontal"
    >
      {!hideLabel && <Aria.Label className={cx(css['label'])}>{label}</Aria.Label>}
      <div className={css['segments']}>
        {options.map((option) => (
          <Aria.Radio key={option.value} value={option.value} className={cx(css['segment'])}>
            {option.label}
          </Aria.Radio>
        ))}
      </div>
    </Aria.RadioGroup>
  );
}

/** One of many. */
export function Select<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  const { label, options, value, onChange, hideLabel = false } = props;
  return (
    <Aria.Select
      className={cx(css['field'])}
      value={value}
      onChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen);
        if (option !== undefined) onChange(option.value);
      }}
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {!hideLabel && <Aria.Label className={cx(css['label'])}>{label}</Aria.Label>}
      <Aria.Button className={cx(css['select'])}>
        <Aria.SelectValue />
        <span aria-hidden="true">▾</span>
      </Aria.Button>
      <Aria.Popover className={cx(css['popover'])}>
        <Aria.ListBox>
          {options.map((option) => (
            <Aria.ListBoxItem key={option.value} id={option.value} className={cx(css['option'])}>
              {option.label}
            </Aria.ListBoxItem>
          ))}
        </Aria.ListBox>
      </Aria.Popover>
    </Aria.Select>
  );
}

export function Switch(props: {
  isSelected: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}): ReactElement {
  return (
    <Aria.Switch className={cx(css['switch'])} isSelected={props.isSelected} onChange={props.onChange}>
      <span className={css['track']} />
      <span>{props.children}</span>
    </Aria.Switch>
  );
}

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactElement {
  return (
    <Aria.ModalOverlay
      className={cx(css['overlay'])}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Aria.Modal>
        <Aria.Dialog className={cx(css['dialog'])}>
          <Aria.Heading slot="title">{title}</Aria.Heading>
          {children}
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  );
}

export function Tabs(props: {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
}): ReactElement {
  return (
    <Aria.Tabs className={cx(css['tabs'])}>
      <Aria.TabList className={cx(css['tabList'])} aria-label={props.label}>
        {props.tabs.map((tab) => (
          <Aria.Tab key={tab.id} id={tab.id} className={cx(css['tab'])}>
            {tab.title}
          </Aria.Tab>
        ))}
      </Aria.TabList>
      {props.tabs.map((tab) => (
        <Aria.TabPanel key={tab.id} id={tab.id}>
          {tab.content}
        </Aria.TabPanel>
      ))}
    </Aria.Tabs>
  );
}
