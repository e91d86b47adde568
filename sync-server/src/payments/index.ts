export {
  type CheckoutWish,
  INVOICE_STATES,
  PaymentFailure,
  type Payments,
  type ProviderEvent,
  type ProviderInvoice,
  type ProviderPrice,
  type ProviderProduct,
  type ProviderSubscription,
} from './ports.ts';
