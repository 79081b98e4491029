from annotation.desk.management.commands.publish import Command as Publish


class Command(Publish):
    help = "Offer again the items that were out and came back without all their answers. Asks as `publish` does."
    example = "./crowdwright top-up demo --confirm 480"
    only_unfinished = True
