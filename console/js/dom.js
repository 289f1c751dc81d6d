/*
 * Elements.  Text only ever becomes text: nothing here reads markup, and the
 * policy of the page would not let it.
 */

function el(tag, properties = {}, ...children) {
    const element = document.createElement(tag);

    for (const [name, value] of Object.entries(properties)) {
        if (name.startsWith('on')) {
            element.addEventListener(name.slice(2), value);
        } else if (name === 'class') {
            element.className = value;
        } else if (value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? '' : value);
        }
    }

    element.append(...children.filter(
        (child) => child !== undefined && child !== null && child !== ''));

    return element;
}


function byId(id) {
    return document.getElementById(id);
}


/* a description: paragraphs, `code` */

function prose(text, className = 'prose') {
    const parts = (text || '').trim().split(/\n\s*\n/).filter(Boolean);

    return el('div', { class: className }, ...parts.map((part) => (
        el('p', {}, ...part.split(/(`[^`]+`)/).map((piece) => (
            /^`[^`]+`$/.test(piece) ? el('code', {}, piece.slice(1, -1))
                                    : piece))))));
}


/* spans of coloured tokens */

const COLOUR_LIMIT = 400000;           /* characters */

function coloured(text, tokens) {
    const fragment = document.createDocumentFragment();
    let at = 0;

    if (text.length > COLOUR_LIMIT) {
        fragment.append(text);
        return fragment;
    }

    for (const token of tokens(text)) {
        if (token.colour === 'punct') {
            continue;
        }

        fragment.append(text.slice(at, token.start),
                        el('span', { class: `t-${token.colour}` },
                           text.slice(token.start, token.end)));
        at = token.end;
    }

    fragment.append(text.slice(at));

    return fragment;
}


function lineNumbers(count) {
    let text = '';

    for (let i = 1; i <= count; i++) {
        text += `${i}\n`;
    }

    return text;
}


async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        /* not a secure context, or not allowed: the old way */
    }

    const area = el('textarea', { class: 'hidden', 'aria-hidden': 'true' });

    area.value = text;
    document.body.append(area);
    area.select();

    const done = document.execCommand('copy');

    area.remove();

    return done;
}


/* says on the button itself that something was done */

function flash(button, text) {
    if (button.dataset.label === undefined) {
        button.dataset.label = button.textContent;
    }

    button.textContent = text;
    clearTimeout(Number(button.dataset.timer));
    button.dataset.timer = setTimeout(() => {
        button.textContent = button.dataset.label;
    }, 1500);
}


/*
 * What this tab remembers.  Storage can be forbidden or full; the console
 * then works without a memory.
 */
const memory = {
    get(name) {
        try {
            return sessionStorage.getItem(`prompt.${name}`);
        } catch {
            return null;
        }
    },

    set(name, value) {
        try {
            sessionStorage.setItem(`prompt.${name}`, value);
        } catch {
            /* nothing to be done */
        }
    },

    remove(name) {
        try {
            sessionStorage.removeItem(`prompt.${name}`);
        } catch {
            /* nothing to be done */
        }
    },
};
