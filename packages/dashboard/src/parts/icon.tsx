import icon from '../styles/icon.svg?raw';

/** A part of the page: as an image it would be a document of its own, which a browser takes 5 ms to make. */
export const Icon = () => <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icon }} />;
