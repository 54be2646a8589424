"""What health records say: recorded events, as tables of the engine that holds them."""
