// What is said where a file of the page did not come.

import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";

export function NotLoaded() {
    return (
        <div class="note bad" role="alert">
            <Icon name="warning" />
            <div class="note-text">
                <p>This page could not be loaded</p>
                <p class="muted">
                    Check the connection and reload it. What you typed on other
                    pages is kept.
                </p>
            </div>
            <Button small onClick={() => location.reload()}>
                Reload
            </Button>
        </div>
    );
}
