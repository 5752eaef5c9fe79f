import icon from '../styles/icon.svg?raw';

/** The icon as inline SVG, because an image would be a document of its own, which takes 5 ms. */
export const Icon = () => <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icon }} />;
