import icon from '../styles/icon.svg?raw';

/** Icon of the service as inline SVG, because an SVG in an `<img>` costs 5 ms for its own document. */
export const Icon = () => <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icon }} />;
